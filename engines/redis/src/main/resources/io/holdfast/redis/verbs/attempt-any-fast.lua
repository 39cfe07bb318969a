-- The fast path, which nearly all attempts take: the key is absent, no ticket waits, and no generation
-- was ever raised. Other cases are decided below, where these would get the same reply. Strict
-- clients and clients with a generation send their kind in capitals and never take this path.
--   ARGV  ticket, lease, kind, owner, further arguments (see verbs/attempt-any.lua)
-- Returns gTOKEN.
local seen = redis.call('MGET', lock, gone, bucket, needed)
local last = tonumber(seen[3])
local plain = ARGV[3] == 'm' or ARGV[3] == 'o'
if plain and last and not seen[1] and not seen[2] and not seen[4] then
  local counter = math.max(last + 1, math.floor((clock[1] * 1000000 + clock[2]) / 64))
  local token = string.format('%d', counter * 1024)
  local value = ARGV[3] .. ' ' .. ARGV[1] .. ' ' .. token .. ' ' .. ARGV[2] .. ' ' .. ARGV[4]
  if redis.call('SET', lock, value, 'PX', ARGV[2], 'NX') then
    redis.call('SET', bucket, string.format('%d', counter))
    return 'g' .. token
  end
end
