-- The line as it is read at the start of a verb and what can happen to it. A ticket is in if and
-- only if its weight plus everything ahead of it fits into the capacity.
local kind, capacity, places, inside, called
local roomier = false

-- Reads the head of the line and one ticket's field. Answers what is in the way, if anything is.
local function open(id)
  local head = redis.pcall('HMGET', line, 's', 'n', 'i', 'k', 't' .. id)
  if head.err then
    if not string.find(head.err, '^WRONGTYPE') then
      return nil, head
    end
    local type = redis.call('TYPE', line).ok
    local state, rest = string.match(type == 'string' and redis.call('GET', line) or '',
      '^([mord]) %S+ ?(.*)$')
    if not state then
      return nil, {'F', type}
    end
    local shape = state == 'd' and 'o' or state == 'r' and rest or state
    return nil, {'S', shape, '1'}
  end
  if not head[1] then
    if redis.call('EXISTS', line) == 1 then
      return nil, {'F', 'hash'}
    end
    local other = shapeOfWaiters()
    if other then
      return nil, {'S', other, '1'}
    end
    kind, capacity, places, inside, called = nil, 0, 0, 0, 0
    return nil, nil
  end
  local of, size = string.match(head[1], '^(%S) (%d+)$')
  kind, capacity = of, tonumber(size)
  places, inside, called = tonumber(head[2]), tonumber(head[3]), tonumber(head[4])
  return head[5], nil
end

local function parse(field)
  local weight, token, joined, lease, place, channel, bell, owner =
    string.match(field or '0 0 0 0 0 - - ', '^(%d+) (%d+) (%d+) (%d+) (%d+) (%S+) (%S+) (.*)$')
  return {weight = tonumber(weight), token = token, joined = joined, lease = lease,
    place = tonumber(place), channel = channel, bell = bell, owner = owner}
end

local function store(id, t)
  redis.call('HSET', line, 't' .. id, table.concat({t.weight, t.token, t.joined, t.lease, t.place,
    t.channel, t.bell, t.owner}, ' '))
end

local function takeOut(id, t)
  redis.call('HDEL', line, 't' .. id)
  if t.token == '0' then
    redis.call('ZREM', waiting, id)
    redis.call('ZREM', watched, id)
  else
    redis.call('ZREM', holding, id)
    inside = inside - t.weight
  end
  roomier = true
end

-- Those whose lease has ended are out, however many they are.
local function dropExpired()
  for _, set in ipairs({holding, watched}) do
    for _, id in ipairs(redis.call('ZRANGEBYSCORE', set, '-inf', ms)) do
      local field = redis.call('HGET', line, 't' .. id)
      if field then
        takeOut(id, parse(field))
      else
        redis.call('ZREM', set, id)
      end
    end
  end
end

local function isEmpty()
  return redis.call('EXISTS', holding, waiting) == 0
end

-- Whether a ticket of this weight fits behind all that wait ahead of this place.
local function fits(weight, place)
  local taken = inside + weight
  local from = 0
  while taken <= capacity do
    local some = redis.call('ZRANGE', waiting, from, from + 15, 'WITHSCORES')
    if #some == 0 then
      return true
    end
    for i = 1, #some, 2 do
      if tonumber(some[i + 1]) >= place then
        return taken <= capacity
      end
      taken = taken + parse(redis.call('HGET', line, 't' .. some[i])).weight
    end
    from = from + 16
  end
  return false
end

-- Tells those for whom there is room now, each once, and nobody else.
local function callIn(publish)
  local taken = inside
  local from = 0
  while taken < capacity do
    local some = redis.call('ZRANGE', waiting, from, from + 15)
    for _, id in ipairs(some) do
      local t = parse(redis.call('HGET', line, 't' .. id))
      taken = taken + t.weight
      if taken > capacity then
        return
      end
      if t.place > called then
        called = t.place
        if t.channel ~= '-' then
          redis.pcall(publish, t.channel, t.bell)
        end
      end
    end
    if #some < 16 then
      return
    end
    from = from + 16
  end
end

-- Ends a verb: calls in, and keeps the line for as long as its longest lease, or removes it.
local function close(publish, lease)
  if isEmpty() then
    redis.call('DEL', line)
    return
  end
  if roomier then
    callIn(publish)
  end
  redis.call('HSET', line, 's', kind .. ' ' .. digits(capacity), 'n', digits(places),
    'i', digits(inside), 'k', digits(called))
  local keep = math.max(redis.call('PTTL', line), lease)
  redis.call('PEXPIRE', line, keep)
  redis.call('PEXPIRE', waiting, keep)
  redis.call('PEXPIRE', holding, keep)
  redis.call('PEXPIRE', watched, keep)
end
