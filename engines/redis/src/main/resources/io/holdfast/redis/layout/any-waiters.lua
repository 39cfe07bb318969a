-- Without an order, only the waiters know the shape between two holders.
local function shapeOfWaiters()
  if redis.call('EXISTS', waiters) == 1 then
    for _, id in ipairs(redis.pcall('ZRANGE', waiters, 0, -1)) do
      local deadline, as = string.match(redis.call('HGET', infos, id) or '',
        '^(%d+) %d+ %d+ %d+ %S+ %S+ (%S) ')
      if deadline and tonumber(deadline) > ms then
        return as
      end
    end
  end
  return nil
end
