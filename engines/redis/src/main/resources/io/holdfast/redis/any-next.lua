-- Nobody waits any more. What MGET does not show is not ours to delete.
local function notNeeded()
  if redis.call('MGET', needed)[1] then
    redis.call('DEL', needed)
  end
end

-- Keeps a free resource for the first that waits, and tells that one alone. Whoever is told leaves
-- the set: one that is dead costs the others one short reservation, not one for each release.
local function passOn(publish)
  while true do
    -- Something foreign in the place of the waiters must not keep the resource taken.
    local first = redis.pcall('ZPOPMIN', waiters)[1]
    if not first then
      redis.call('DEL', lock)
      notNeeded()
      return
    end
    local info = redis.call('HGET', infos, first)
    redis.call('HDEL', infos, first)
    local deadline, reserve, channel, bell, kind =
      string.match(info or '', '^(%d+) %d+ %d+ (%d+) (%S+) (%S+) (%S)')
    if deadline and tonumber(deadline) > ms then
      redis.call('SET', lock, 'r ' .. first .. ' ' .. kind, 'PX', reserve)
      if channel ~= '-' then
        -- Whoever may not publish costs the others time, not the lock.
        redis.pcall(publish, channel, bell)
      end
      return
    end
  end
end
