-- Extends a lock to one lease from now, and never shortens it: the holder might not learn of an
-- earlier end. Returns what is left then, in ms.
local function extendLease(lease)
  if redis.call('PEXPIRE', lock, lease, 'GT') == 1 then
    return tonumber(lease)
  end
  local left = redis.call('PTTL', lock)
  if left < 0 then
    -- The expiry was removed by hand.
    redis.call('PEXPIRE', lock, lease)
  end
  return math.max(left, tonumber(lease))
end

