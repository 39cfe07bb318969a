-- Keeps a mutex in a line taken, without its client: see verbs/keep-any.lua. Waiters keep their places.
local id, millis, publish, other = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4]
local field, inTheWay = open(id)
if inTheWay or not kind then
  return 0
end
dropExpired()
if roomier and field then
  field = redis.call('HGET', line, 't' .. id)
end
local t = parse(field)
if t.token == '0' then
  local before = redis.call('HGET', line, 't' .. other)
  close(publish, 0)
  return before and 1 or 0
end
if millis <= 0 then
  takeOut(id, t)
  close(publish, 0)
  return 1
end
redis.call('HDEL', line, 't' .. id)
redis.call('ZREM', holding, id)
t.lease = millis
watch(holding, other, ms + millis)
-- It was the only holder, so the set was gone for a moment and has lost its expiry.
holdingIsNew = true
store(other, t)
close(publish, millis)
return 1
