-- A leave without an order. Returns H if it held, W if it waited, N if there was nothing.
local lease, inDoubt, publish = ARGV[2], ARGV[3] == '1', ARGV[4]
if inDoubt and not redis.call('SET', gone, 'l', 'PX', lease, 'NX') then
  -- Revoked or evicted already: that mark must last as long as this one would.
  redis.call('PEXPIRE', gone, math.max(redis.call('PTTL', gone), tonumber(lease)))
end
local state, who = string.match(seen[1] or '', '^([mor]) (%S+) ')
if who == id then
  releaseToNext(publish)
  return state == 'r' and 'W' or 'H'
end
if redis.call('ZREM', waiters, id) == 0 then
  -- It may have been called and not have come: then it was perhaps the last waiter.
  if redis.call('EXISTS', waiters) == 0 then
    nobodyWaits()
  end
  return 'N'
end
local deadline = string.match(redis.call('HGET', infos, id) or '', '^%d+') or '0'
redis.call('HDEL', infos, id)
if redis.call('EXISTS', waiters) == 0 then
  nobodyWaits()
end
return tonumber(deadline) > ms and 'W' or 'N'
