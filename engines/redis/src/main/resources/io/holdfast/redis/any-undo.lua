-- Takes back a grant that nobody has been told of. It may come late, when the ticket has another one
-- that is believed in: so it names the token.
local id, token, publish = ARGV[1], ARGV[2], ARGV[3]
local held = redis.call('MGET', lock)[1]
local who, its = string.match(held or '', '^[mo] (%S+) (%d+) ')
if who ~= id or its ~= token then
  return 'N'
end
passOn(publish)
return 'H'
