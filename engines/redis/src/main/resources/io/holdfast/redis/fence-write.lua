-- Runs the caller-supplied write, with its own keys and arguments.
local function guarded(write)
  local keys, args = {}, {}
  for i = 2, #KEYS do
    keys[i - 1] = KEYS[i]
  end
  for i = 4, #ARGV do
    args[i - 3] = ARGV[i]
  end
  local ok, result = pcall(write, keys, args)
  local failure = not ok and result or type(result) == 'table' and result.err
  if failure then
    return {'E', type(failure) == 'table' and failure.err or failure}
  end
  return {'K', result}
end
