-- The line: its state, as read at the start of a verb, and its transitions. A ticket is granted if
-- and only if its weight plus everything ahead of it fits into the capacity.
local kind, capacity, places, inside, called, kept, ends
local roomier = false
-- Sets that were empty until now have no expiry yet.
local holdingIsNew, waitingIsNew = false, false
-- The ticket that this verb stores, which is written together with the head.
local writtenId, written

local function forget()
  kind, capacity, places, inside, called, kept, ends = nil, 0, 0, 0, 0, 0, 9007199254740991
  roomier = false
end

-- Reads the head of the line and one ticket's field. Returns the field, and what is in the way.
local function open(id)
  local head = redis.pcall('HMGET', line, 'h', 't' .. id)
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
    forget()
    return nil, nil
  end
  local of, size, given, weight, last, till, first =
    string.match(head[1], '^(%S) (%d+) (%d+) (%d+) (%d+) (%d+) (%d+)$')
  kind, capacity, places, inside = of, tonumber(size), tonumber(given), tonumber(weight)
  called, kept, ends = tonumber(last), tonumber(till), tonumber(first)
  return head[2], nil
end

local function parse(field)
  local weight, token, joined, lease, place, channel, wakeId, owner =
    string.match(field or '0 0 0 0 0 - - ', '^(%d+) (%d+) (%d+) (%d+) (%d+) (%S+) (%S+) (.*)$')
  return {weight = tonumber(weight), token = token, joined = joined, lease = lease,
    place = tonumber(place), channel = channel, wakeId = wakeId, owner = owner}
end

local function text(t)
  return table.concat({t.weight, t.token, t.joined, t.lease, t.place, t.channel, t.wakeId, t.owner},
    ' ')
end

local function store(id, t)
  writtenId, written = id, text(t)
end

local function read(id)
  return parse(id == writtenId and written or redis.call('HGET', line, 't' .. id))
end

-- Records when the lease of a ticket of this set ends.
local function watch(set, id, till)
  redis.call('ZADD', set, till, id)
  ends = math.min(ends, till)
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

-- Turns a holder whose grant was not reported back into a waiter at its place, for as long as it
-- would have held.
local function putBack(id, t)
  local till = tonumber(redis.call('ZSCORE', holding, id) or ms)
  redis.call('ZREM', holding, id)
  inside = inside - t.weight
  t.token = '0'
  redis.call('HSET', line, 't' .. id, text(t))
  redis.call('ZADD', waiting, t.place, id)
  watch(watched, id, till)
  waitingIsNew = true
end

local function drop(set, id)
  local field = redis.call('HGET', line, 't' .. id)
  if field then
    takeOut(id, parse(field))
  else
    redis.call('ZREM', set, id)
    roomier = true
  end
end

-- Removes all tickets whose lease has ended. Reads nothing before the first lease can have ended:
-- renewals only make that later.
local function dropExpired()
  if ms < ends then
    return
  end
  ends = 9007199254740991
  for _, set in ipairs({holding, watched}) do
    for _, id in ipairs(redis.call('ZRANGEBYSCORE', set, '-inf', ms)) do
      drop(set, id)
    end
    ends = math.min(ends, tonumber(redis.call('ZRANGE', set, 0, 0, 'WITHSCORES')[2] or ends))
  end
end

local function isEmpty()
  return redis.call('EXISTS', holding, waiting) == 0
end

-- Returns whether a ticket of this weight fits behind all waiters ahead of this place. Each of them
-- takes at least one permit, so as many are read as permits are left, and one more.
local function fits(weight, place)
  local taken = inside + weight
  local from = 0
  while taken <= capacity do
    local last = from + math.min(15, capacity - taken)
    local some = redis.call('ZRANGE', waiting, from, last, 'WITHSCORES')
    if #some == 0 then
      return true
    end
    for i = 1, #some, 2 do
      if tonumber(some[i + 1]) >= place then
        return taken <= capacity
      end
      taken = taken + read(some[i]).weight
    end
    from = last + 1
  end
  return false
end

-- Grants a mutex to the first waiter, if a signal may grant it (!) and the bucket's record is a plain
-- counter. It keeps the lease of its wait: a dead waiter costs the waiters behind it no more than before.
local function letFirstIn(publish)
  local id = redis.call('ZRANGE', waiting, 0, 0)[1]
  local t = id and read(id)
  if not t or string.sub(t.wakeId, 1, 1) ~= '!' then
    return false
  end
  local last = tonumber(redis.call('MGET', bucket)[1] or '')
  local till = redis.call('ZSCORE', watched, id)
  if not last or not till then
    return false
  end
  local counter = math.max(last + 1, math.floor(us / 64))
  redis.call('SET', bucket, digits(counter))
  redis.call('ZREM', waiting, id)
  redis.call('ZREM', watched, id)
  watch(holding, id, tonumber(till))
  t.token = digits(counter * 1024)
  redis.call('HSET', line, 't' .. id, text(t))
  holdingIsNew = true
  inside, called = t.weight, math.max(called, t.place)
  redis.pcall(publish, t.channel,
    t.wakeId .. ' ' .. t.token .. ' ' .. redis.call('EXISTS', waiting))
  return true
end

-- Signals the waiters for which there is room now, each once, and no others.
local function callIn(publish)
  if kind == 'f' and inside == 0 and letFirstIn(publish) then
    return
  end
  local taken = inside
  local from = 0
  while taken < capacity do
    local last = from + math.min(16, capacity - taken) - 1
    local some = redis.call('ZRANGE', waiting, from, last)
    for _, id in ipairs(some) do
      local t = read(id)
      taken = taken + t.weight
      if taken > capacity then
        return
      end
      if t.place > called then
        called = t.place
        if t.channel ~= '-' then
          redis.pcall(publish, t.channel, t.wakeId)
        end
      end
    end
    if #some < last - from + 1 then
      return
    end
    from = last + 1
  end
end

-- All keys expire together, and not before the longest lease; most verbs need not change that.
local function keep(lease)
  if kept < ms + lease then
    kept = ms + 2 * lease
    return {line, waiting, holding, watched}
  end
  local new = {}
  if holdingIsNew then
    table.insert(new, holding)
  end
  if waitingIsNew then
    table.insert(new, waiting)
    table.insert(new, watched)
  end
  return new
end

-- Ends a verb: signals waiters, and writes the line for at least its longest lease, or removes it.
local function close(publish, lease)
  if roomier then
    if isEmpty() then
      redis.call('DEL', line)
      return
    end
    callIn(publish)
  end
  local touched = keep(lease)
  local head = table.concat({kind, digits(capacity), digits(places), digits(inside), digits(called),
    digits(kept), digits(ends)}, ' ')
  if written then
    redis.call('HSET', line, 'h', head, 't' .. writtenId, written)
  else
    redis.call('HSET', line, 'h', head)
  end
  for _, key in ipairs(touched) do
    redis.call('PEXPIRE', key, kept - ms)
  end
end
