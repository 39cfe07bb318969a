-- Turns the hold of a run of once into a mark.
--   ARGV  ticket, how long to keep the mark in ms, command to publish
-- Returns 1, or 0 if the ticket does not hold.
local id, keep, publish = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local held = redis.call('MGET', lock)[1]
local state, who = string.match(held or '', '^([od]) (%S+)')
if who ~= id then
  return 0
end
if state == 'd' then
  return 1
end
if keep <= 0 then
  releaseToNext(publish)
  return 1
end
-- All waiters are signalled; none of them has a place to keep. They are read first: if a foreign key
-- is there, no mark is set.
local all = redis.call('HGETALL', infos)
redis.call('SET', lock, 'd ' .. id, 'PX', keep)
for i = 2, #all, 2 do
  local channel, wakeId = string.match(all[i], '^%d+ %d+ %d+ %d+ (%S+) (%S+) ')
  if channel and channel ~= '-' then
    redis.pcall(publish, channel, wakeId)
  end
end
redis.call('DEL', waiters, infos)
nobodyWaits()
return 1
