-- An attempt without an order: all cases that the fast path leaves.
--   ARGV  ticket, lease, kind, owner, then in one text: generation, whether it waits, ms of a
--         reservation, channel, wake, field of the generation, ms of the quarantine, token that is
--         being undone; and the run id for strict clients
-- Returns G TOKEN WANTED fresh|again, W AHEAD RETRY TOKEN OWNER, D LEFT, or a refusal: X departed,
-- S other shape, F foreign key, V newer layout, N generation, Q quarantine.
local id, lease, kind, owner, runId = ARGV[1], ARGV[2], string.lower(ARGV[3]), ARGV[4], ARGV[6]
local generation, waits, reserve, channel, wakeId, generationField, quarantine, undone =
  string.match(ARGV[5], '^(%d+) (%d) (%d+) (%S+) (%S+) (%S+) (%d+) (%S+)$')
generation, waits, quarantine = tonumber(generation), waits == '1', tonumber(quarantine)

if seen[2] then
  return {'X', seen[2]}
end
local refused = admitted(seen[3], generationField, generation, quarantine, runId)
if refused then
  return refused
end

local function wanted()
  if seen[4] and redis.call('EXISTS', waiters) == 1 then
    return 1
  end
  if seen[4] then
    redis.call('DEL', needed)
  end
  return 0
end

local function stopWaiting()
  if redis.call('ZREM', waiters, id) == 1 then
    redis.call('HDEL', infos, id)
  end
end

local function behind(retry, token, holder)
  if waits then
    if not seen[4] and redis.call('EXISTS', needed) == 1 then
      return {'F', redis.call('TYPE', needed).ok}
    end
    -- Read before anything is written: a foreign key fails here, and nothing stays behind.
    local known = redis.call('HGET', infos, id)
    local joined = string.match(known or '', '^%d+ (%d+)') or digits(ms)
    redis.call('ZADD', waiters, 'NX', us, id)
    redis.call('HSET', infos, id, table.concat({digits(ms + lease), joined, lease, reserve,
      channel, wakeId, kind, owner}, ' '))
    local keep = math.max(redis.call('PTTL', waiters), tonumber(lease))
    redis.call('PEXPIRE', waiters, keep)
    redis.call('PEXPIRE', infos, keep)
    redis.call('SET', needed, '1', 'PX', keep)
  else
    stopWaiting()
  end
  return {'W', 0, retry, token, holder}
end

local held = seen[1]
if held then
  local state, who, rest = string.match(held, '^([mord]) (%S+) ?(.*)$')
  if not state then
    return {'F', 'string'}
  end
  local shape = state == 'd' and 'o' or state == 'r' and rest or state
  if shape ~= kind then
    return {'S', shape, '1'}
  end
  if state == 'd' then
    stopWaiting()
    return {'D', redis.call('PTTL', lock)}
  end
  if state == 'r' and who ~= id then
    return behind(redis.call('PTTL', lock), '', '')
  end
  if state ~= 'r' then
    local token, label = string.match(rest, '^(%d+) %d+ (.*)$')
    if who ~= id then
      if who == keptAs(id) then
        -- A late attempt: the mutex stays taken without its client.
        return {'X', 'l'}
      end
      return behind(redis.call('PTTL', lock), token, label)
    end
    -- A grant that is being undone was not reported, and the undo may still arrive: the ticket
    -- gets another token below.
    if token ~= undone then
      extendLease(lease)
      return {'G', token, wanted(), 'again'}
    end
  end
elseif redis.call('EXISTS', lock) == 1 then
  -- Not a string: a line, or a key of another program.
  local type = redis.call('TYPE', lock).ok
  local stored = type == 'hash' and redis.call('HGET', lock, 'h')
  local of, capacity = string.match(stored or '', '^(%S) (%d+) ')
  return of and {'S', of, capacity} or {'F', type}
elseif seen[4] then
  local other = shapeOfWaiters()
  if other and other ~= kind then
    return {'S', other, '1'}
  end
end

local left = quarantined(quarantine)
if left > 0 then
  return {'Q', left}
end
if seen[4] then
  stopWaiting()
end
local token = mint(generation)
redis.call('SET', lock, table.concat({kind, id, token, lease, owner}, ' '), 'PX', lease)
return {'G', token, wanted(), 'fresh'}
