-- Checks whether a ticket still holds, as its renewal would; the server tracks both keys from then on.
--   KEYS   the resource itself; for a line, its holders as well
--   ARGV   the name of the watch, the ticket
local watch, id = ARGV[1], ARGV[2]
local kind = redis.call('TYPE', KEYS[1]).ok
local inside = false
if kind == 'string' then
  inside = string.match(redis.call('GET', KEYS[1]), '^[mo] (%S+) ') == id
elseif kind == 'hash' and KEYS[2] and redis.call('TYPE', KEYS[2]).ok == 'zset' then
  inside = redis.call('HGET', KEYS[1], 'h') and redis.call('ZSCORE', KEYS[2], id)
end
return {inside and 'seen' or 'gone', watch, ''}
