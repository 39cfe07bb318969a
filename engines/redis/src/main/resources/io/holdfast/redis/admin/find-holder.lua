-- Returns the holder with this token: its id, and in ms what is left of its lease, and its lease.
-- Tokens are compared as text: numbers are exact only up to 2^53 here.
local function find(token)
  local type = redis.call('TYPE', lock).ok
  if type == 'string' then
    local id, has, lease =
      string.match(redis.call('GET', lock), '^[mo] (%S+) (%d+) (%d+) ')
    if has ~= token then
      return nil
    end
    local left = math.max(1, redis.call('PTTL', lock))
    return id, left, math.max(left, lease)
  end
  if type ~= 'hash' then
    return nil
  end
  local inside = redis.call('ZRANGEBYSCORE', holding, '(' .. digits(ms), '+inf', 'WITHSCORES')
  for i = 1, #inside, 2 do
    local t = parse(redis.call('HGET', line, 't' .. inside[i]))
    if t.token == token then
      local left = tonumber(inside[i + 1]) - ms
      return inside[i], left, math.max(left, t.lease)
    end
  end
  return nil
end
