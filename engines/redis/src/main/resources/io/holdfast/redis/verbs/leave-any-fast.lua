-- The fast path, which nearly all leaves take: this ticket holds the key, and no ticket waits.
--   ARGV  ticket, lease, whether an attempt is in doubt, command to publish
local id = ARGV[1]
local seen = redis.call('MGET', lock, needed)
if seen[1] and not seen[2] and ARGV[3] == '0' then
  local state = string.sub(seen[1], 1, 1)
  if string.sub(seen[1], 3, 3 + #id) == id .. ' ' and (state == 'm' or state == 'o') then
    redis.call('DEL', lock)
    return 'H'
  end
end
