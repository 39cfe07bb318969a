-- The way that nearly all go: nothing is there, nobody waits, no generation was ever raised. It is
-- written for speed; whatever it does not decide is decided below, which would answer the same.
-- Clients that are strict or have a generation say their kind in capitals and never go this way.
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
