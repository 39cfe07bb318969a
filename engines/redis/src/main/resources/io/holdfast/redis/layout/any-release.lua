-- The last waiter is gone. What MGET does not show is not ours to delete.
local function nobodyWaits()
  if redis.call('MGET', needed)[1] then
    redis.call('DEL', needed)
  end
end

-- Reserves a free resource for the first waiter and signals only that one. It leaves the set: a dead
-- waiter costs the others one short reservation, not one for each release.
local function releaseToNext(publish)
  while true do
    -- A foreign key in the place of the waiters must not keep the resource taken.
    local first = redis.pcall('ZPOPMIN', waiters)[1]
    if not first then
      redis.call('DEL', lock)
      nobodyWaits()
      return
    end
    local info = redis.call('HGET', infos, first)
    redis.call('HDEL', infos, first)
    local deadline, reserve, channel, wakeId, kind =
      string.match(info or '', '^(%d+) %d+ %d+ (%d+) (%S+) (%S+) (%S)')
    if deadline and tonumber(deadline) > ms then
      redis.call('SET', lock, 'r ' .. first .. ' ' .. kind, 'PX', reserve)
      if channel ~= '-' then
        -- A client without the right to publish costs others time, not the lock.
        redis.pcall(publish, channel, wakeId)
      end
      return
    end
  end
end
