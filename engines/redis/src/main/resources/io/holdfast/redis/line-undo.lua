-- Takes back a grant that nobody has been told of. It may come late, when the ticket has another one
-- that is believed in: so it names the token. One that waited before has its place again.
local id, token, waited, publish = ARGV[1], ARGV[2], ARGV[3] == '1', ARGV[4]
local field, inTheWay = open(id)
if inTheWay or not kind then
  return 'N'
end
dropExpired()
if roomier and field then
  field = redis.call('HGET', line, 't' .. id)
end
local t = parse(field)
if t.token ~= token then
  close(publish, 0)
  return 'N'
end
if waited then
  putBack(id, t)
else
  takeOut(id, t)
end
close(publish, 0)
return 'H'
