-- Keeps what a ticket holds for a lease from now on, or for longer if it was to last longer: an end
-- that came nearer might not be known to the holder. Answers what is left then, in ms.
local function prolong(lease)
  if redis.call('PEXPIRE', lock, lease, 'GT') == 1 then
    return tonumber(lease)
  end
  local left = redis.call('PTTL', lock)
  if left < 0 then
    -- Somebody has taken the expiry away, which is later than any.
    redis.call('PEXPIRE', lock, lease)
  end
  return math.max(left, tonumber(lease))
end

