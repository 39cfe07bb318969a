-- Keeps a mutex without an order taken, without its client: from here on under another id, which no
-- verb of the client has, and for another time. Waiters stay, and find it held.
--   ARGV  ticket, how long to keep it in ms, command to publish, the other id
-- Returns 1, or 0 if the ticket does not hold.
local id, keep, publish, kept = ARGV[1], tonumber(ARGV[2]), ARGV[3], ARGV[4]
local held = redis.call('MGET', lock)[1]
local who, token, owner = string.match(held or '', '^m (%S+) (%d+) %d+ (.*)$')
if who == kept then
  return 1
end
if who ~= id then
  return 0
end
if keep <= 0 then
  releaseToNext(publish)
  return 1
end
redis.call('SET', lock, table.concat({'m', kept, token, digits(keep), owner}, ' '), 'PX', keep)
return 1
