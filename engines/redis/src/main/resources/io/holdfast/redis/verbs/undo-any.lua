-- Undoes a grant that was not reported. It may arrive late, when the ticket has a newer grant that
-- its holder relies on: so it names the token.
--   ARGV  ticket, token, command to publish
local id, token, publish = ARGV[1], ARGV[2], ARGV[3]
local held = redis.call('MGET', lock)[1]
local who, its = string.match(held or '', '^[mo] (%S+) (%d+) ')
if who ~= id or its ~= token then
  return 'N'
end
releaseToNext(publish)
return 'H'
