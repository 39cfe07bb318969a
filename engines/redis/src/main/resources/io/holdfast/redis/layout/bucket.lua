-- The record of the bucket: the token counter, followed by optional fields: v=LAYOUT if it is not 1,
-- g:NAMESPACE=GENERATION if it is not 0, r=INCARNATION of the server that was last seen (see
-- layout/incarnation.lua), and q=MILLIS, the end of the quarantine.
local record

local function part(name)
  local _, last = string.find(record, ' ' .. name .. '=', 1, true)
  return last and string.match(record, '^%S+', last + 1)
end

local function put(name, value)
  local first, last = string.find(record, ' ' .. name .. '=', 1, true)
  if first then
    local rest = string.find(record, ' ', last, true)
    record = string.sub(record, 1, first - 1) .. (rest and string.sub(record, rest) or '')
  end
  record = record .. ' ' .. name .. '=' .. value
end

-- Returns a refusal, or nil. A strict client that finds a record of another process, or none, cannot
-- know what that process granted last: nothing is granted until that must have ended.
local function admitted(stored, generationField, generation, quarantine, runId)
  record = stored or '0'
  if not string.find(record, '^%d') or
      not stored and redis.call('EXISTS', bucket) == 1 then
    return {'F', 'record of another program: ' .. bucket}
  end
  local layout = part('v')
  if layout then
    return {'V', layout}
  end
  local known = tonumber(part(generationField) or '0')
  if generation < known then
    return {'N', digits(known)}
  end
  if generation > known then
    put(generationField, digits(generation))
    redis.call('SET', bucket, record)
  end
  if quarantine > 0 then
    local incarnation = incarnationOf(runId)
    if part('r') ~= incarnation then
      put('r', incarnation)
      put('q', digits(ms + quarantine))
      redis.call('SET', bucket, record)
    end
  end
  return nil
end

-- Returns for how many ms nothing is granted, 0 if there is no quarantine.
local function quarantined(quarantine)
  if quarantine == 0 then
    return 0
  end
  return math.max(0, tonumber(part('q') or '0') - ms)
end

-- Returns the token of a new grant: above the last one of the bucket, and not below the clock in ticks of
-- 64 us. It is a multiple of 1,024 below 2^63, so 53 bits hold it exactly.
local function mint(generation)
  local last = string.match(record, '^%d+')
  local counter = math.max(tonumber(last) + 1, math.floor(us / 64))
  record = digits(counter) .. string.sub(record, #last + 1)
  redis.call('SET', bucket, record)
  return digits(generation * 72057594037927936 + counter * 1024)
end

