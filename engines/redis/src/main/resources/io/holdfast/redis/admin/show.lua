-- Returns what is stored, never an id: N nothing, F TYPE a foreign key, or
-- V KIND CAPACITY MARKED {STATE TOKEN WEIGHT AGE LEFT OWNER}…, with MARKED -1 when there is no mark.
local tickets = {}

local function show(state, token, weight, joined, left, owner, place)
  table.insert(tickets, {place = place, state, token, weight, ms - joined, left, owner})
end

local function held(id)
  local out = redis.call('GET', gone(id))
  return out and string.sub(out, 1, 1) == 'r' and 'R' or 'H'
end

local function answer(of, size, marked)
  if not of or #tickets == 0 and marked < 0 then
    return {'N'}
  end
  table.sort(tickets, function(a, b) return a.place < b.place end)
  local all = {'V', of, size, marked}
  for _, ticket in ipairs(tickets) do
    table.insert(all, ticket)
  end
  return all
end

local function withoutOrder(value)
  local of, marked = nil, -1
  local state, who, rest = string.match(value or '', '^([mord]) (%S+) ?(.*)$')
  if value and not state then
    return {'F', 'string'}
  end
  if state == 'd' then
    of, marked = 'o', math.max(0, redis.call('PTTL', lock))
  elseif state == 'r' then
    of = rest
  elseif state then
    local token, owner = string.match(rest, '^(%d+) %d+ (.*)$')
    -- Ticks of 64 us times 1,024 below the generation, if it was not minted ahead of the clock.
    local joined = math.min(ms, math.floor(tonumber(token) % 72057594037927936 / 16000))
    of = state
    show(held(who), token, 1, joined, redis.call('PTTL', lock), owner, 0)
  end
  for place, id in ipairs(redis.call('ZRANGE', waiters, 0, -1)) do
    local deadline, joined, as, owner = string.match(redis.call('HGET', infos, id) or '',
      '^(%d+) (%d+) %d+ %d+ %S+ %S+ (%S) (.*)$')
    if deadline and tonumber(deadline) > ms then
      of = of or as
      show('W', '0', 1, joined, deadline - ms, owner, place)
    end
  end
  return answer(of, 1, marked)
end

local function inOrder()
  local _, inTheWay = open('')
  if inTheWay then
    return inTheWay
  end
  local inside = redis.call('ZRANGE', holding, 0, -1, 'WITHSCORES')
  for i = 1, #inside, 2 do
    local left = tonumber(inside[i + 1]) - ms
    if left > 0 then
      local t = parse(redis.call('HGET', line, 't' .. inside[i]))
      show(held(inside[i]), t.token, t.weight, t.joined, left, t.owner, t.place)
    end
  end
  local outside = redis.call('ZRANGE', watched, 0, -1, 'WITHSCORES')
  for i = 1, #outside, 2 do
    local left = tonumber(outside[i + 1]) - ms
    if left > 0 then
      local t = parse(redis.call('HGET', line, 't' .. outside[i]))
      show('W', '0', t.weight, t.joined, left, t.owner, t.place)
    end
  end
  return answer(kind, capacity, -1)
end

local type = redis.call('TYPE', lock).ok
if type == 'none' then
  return withoutOrder(nil)
elseif type == 'string' then
  return withoutOrder(redis.call('GET', lock))
elseif type == 'hash' then
  return inOrder()
end
return {'F', type}
