-- Undoes a grant that was not reported. It may arrive late, when the ticket has a newer grant that
-- its holder relies on: so it names the token. A ticket that waited before gets its place back.
--   ARGV  ticket, token, whether it waited before, command to publish
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
