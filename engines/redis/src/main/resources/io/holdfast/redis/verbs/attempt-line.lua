-- An attempt in a line.
--   ARGV  ticket, lease, generation, kind, capacity (0 adopts the stored one), weight, whether it
--         waits, owner, channel, wake, command to publish, field of the generation, ms of the
--         quarantine, token that is being undone, and the run id for strict clients
-- Returns G TOKEN WANTED fresh|called|again, W AHEAD RETRY TOKEN OWNER, or a refusal: as in
-- verbs/attempt-any.lua, and A nothing to adopt, C above the capacity, H heavier than before.
local id, lease, generation = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local asKind, asCapacity, weight = ARGV[4], tonumber(ARGV[5]), tonumber(ARGV[6])
local waits, owner, channel, wakeId = ARGV[7] == '1', ARGV[8], ARGV[9], ARGV[10]
local publish, generationField, quarantine = ARGV[11], ARGV[12], tonumber(ARGV[13])
local undone, runId = ARGV[14], ARGV[15]

local seen = redis.call('MGET', gone, bucket)
if seen[1] then
  return {'X', seen[1]}
end
local refused = admitted(seen[2], generationField, generation, quarantine, runId)
if refused then
  return refused
end
local field, inTheWay = open(id)
if inTheWay then
  return inTheWay
end
if kind then
  dropExpired()
  if roomier and isEmpty() then
    redis.call('DEL', line)
    forget()
    field = nil
  elseif roomier and field then
    field = redis.call('HGET', line, 't' .. id)
  end
end

local function wanted()
  return redis.call('EXISTS', waiting)
end

local function finish(answer)
  close(publish, lease)
  return answer
end

local function letIn(ticket, from)
  local left = quarantined(quarantine)
  if left > 0 then
    -- A waiter goes on waiting: it must not lose its place to later tickets.
    if from and waits then
      ticket.channel, ticket.wakeId = channel, wakeId
      store(id, ticket)
      watch(watched, id, ms + lease)
    end
    if kind and not isEmpty() then
      close(publish, lease)
    end
    return {'Q', left}
  end
  if from then
    redis.call('ZREM', waiting, id)
    redis.call('ZREM', watched, id)
  end
  ticket.token = mint(generation)
  -- Before the line itself: a foreign key fails here, and no part of a line stays behind.
  watch(holding, id, ms + lease)
  store(id, ticket)
  holdingIsNew = inside == 0
  inside = inside + ticket.weight
  return finish({'G', ticket.token, wanted(), from and 'called' or 'fresh'})
end

local function behind(place)
  local first = redis.call('ZRANGE', holding, 0, 0, 'WITHSCORES')
  local token, holder = '', ''
  if first[1] then
    local t = read(first[1])
    token, holder = t.token, t.owner
  else
    first = redis.call('ZRANGE', watched, 0, 0, 'WITHSCORES')
  end
  local earlier = redis.call('ZCOUNT', waiting, '-inf', '(' .. place)
  local ahead = earlier + (kind == 'f' and inside or redis.call('ZCARD', holding))
  waitingIsNew = earlier == 0
  local retry = first[2] and math.max(1, tonumber(first[2]) - ms) or 1
  return finish({'W', ahead, retry, token, holder})
end

if field then
  local t = parse(field)
  if kind ~= asKind then
    return finish({'S', kind, digits(capacity)})
  end
  if t.token == undone then
    -- That token was not reported, and its undo may still arrive: the ticket gets another one.
    putBack(id, t)
  end
  if weight > t.weight then
    return finish({'H', t.weight})
  end
  if t.token == '0' and weight > capacity then
    takeOut(id, t)
    return finish({'C', capacity})
  end
  if weight < t.weight then
    if t.token ~= '0' then
      inside = inside - (t.weight - weight)
    end
    t.weight = weight
    roomier = true
  end
  t.lease = lease
  if t.token ~= '0' then
    store(id, t)
    watch(holding, id, math.max(ms + lease, tonumber(redis.call('ZSCORE', holding, id) or '0')))
    return finish({'G', t.token, wanted(), 'again'})
  end
  if fits(t.weight, t.place) then
    return letIn(t, true)
  end
  if waits then
    t.channel, t.wakeId = channel, wakeId
    store(id, t)
    watch(watched, id, ms + lease)
  else
    takeOut(id, t)
  end
  return behind(t.place)
end

if not kind then
  if asCapacity == 0 then
    return {'A'}
  end
  -- Fails before anything is written if this is a foreign key, which would get our expiry.
  redis.call('ZCARD', watched)
  kind, capacity = asKind, asCapacity
elseif kind ~= asKind or (asCapacity ~= 0 and asCapacity ~= capacity) then
  return finish({'S', kind, digits(capacity)})
end
if weight > capacity then
  if isEmpty() then
    return {'C', capacity}
  end
  return finish({'C', capacity})
end
places = places + 1
local ticket = {weight = weight, token = '0', joined = digits(ms), lease = lease, place = places,
  channel = channel, wakeId = wakeId, owner = owner}
if fits(weight, places) then
  return letIn(ticket, false)
end
if waits then
  if kind == 'f' and redis.call('HGET', line, 't' .. keptAs(id)) then
    -- A late attempt: the mutex stays taken without its client.
    return finish({'X', 'l'})
  end
  watch(watched, id, ms + lease)
  redis.call('ZADD', waiting, places, id)
  store(id, ticket)
end
return behind(places)
