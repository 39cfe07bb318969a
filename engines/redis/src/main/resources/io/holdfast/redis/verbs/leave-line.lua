-- A leave from a line.
--   ARGV  ticket, lease, whether an attempt is in doubt, command to publish
-- Returns H if it held, W if it waited, N if there was nothing.
local id, lease, inDoubt, publish = ARGV[1], ARGV[2], ARGV[3] == '1', ARGV[4]
if inDoubt and not redis.call('SET', gone, 'l', 'PX', lease, 'NX') then
  -- Revoked or evicted already: that mark must last as long as this one would.
  redis.call('PEXPIRE', gone, math.max(redis.call('PTTL', gone), tonumber(lease)))
end
local field, inTheWay = open(id)
if inTheWay or not kind then
  return 'N'
end
dropExpired()
if roomier and field then
  field = redis.call('HGET', line, 't' .. id)
end
if not field then
  close(publish, 0)
  return 'N'
end
local t = parse(field)
takeOut(id, t)
close(publish, 0)
return t.token == '0' and 'W' or 'H'
