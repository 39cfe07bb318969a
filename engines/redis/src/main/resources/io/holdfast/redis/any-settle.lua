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
  passOn(publish)
  return 1
end
-- All that wait are told that it is done; none of them has a place to keep. They are read first: if
-- something foreign is there, no mark is set.
local all = redis.call('HGETALL', infos)
redis.call('SET', lock, 'd ' .. id, 'PX', keep)
for i = 2, #all, 2 do
  local channel, bell = string.match(all[i], '^%d+ %d+ %d+ %d+ (%S+) (%S+) ')
  if channel and channel ~= '-' then
    redis.pcall(publish, channel, bell)
  end
end
redis.call('DEL', waiters, infos)
notNeeded()
return 1
