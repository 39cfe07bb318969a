-- A counter: a string key with the next number. Numbers go up to 2^63, and doubles are exact up to
-- 2^53: so they are split here into billions and the rest.
local BILLION = 1000000000

local function halves(text)
  return tonumber('0' .. string.sub(text, 1, -10)), tonumber(string.sub(text, -9))
end

local function text(high, low)
  return high == 0 and string.format('%d', low) or string.format('%d%09d', high, low)
end

local function higher(one, two)
  local high, low = halves(one)
  local otherHigh, otherLow = halves(two)
  return (high > otherHigh or high == otherHigh and low >= otherLow) and one or two
end

local function sum(one, two)
  local high, low = halves(one)
  local moreHigh, moreLow = halves(two)
  local all = low + moreLow
  return text(high + moreHigh + math.floor(all / BILLION), all % BILLION)
end

local stored = redis.call('GET', KEYS[1]) or '0'
if not string.find(stored, '^%d+$') then
  return {'F'}
end
