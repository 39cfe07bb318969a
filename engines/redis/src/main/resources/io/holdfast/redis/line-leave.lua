local id, lease, inDoubt, publish = ARGV[1], ARGV[2], ARGV[3] == '1', ARGV[4]
if inDoubt then
  redis.call('SET', gone, 'l', 'PX', lease, 'NX')
end
local field, inTheWay = open(id)
if inTheWay or not kind then
  return 'N'
end
dropExpired()
field = field and redis.call('HGET', line, 't' .. id)
if not field then
  close(publish, 0)
  return 'N'
end
local t = parse(field)
takeOut(id, t)
close(publish, 0)
return t.token == '0' and 'W' or 'H'
