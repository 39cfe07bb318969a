-- The last exclusive claim of a resource, as TOKEN HOLD, without an expiry. Tokens are compared as
-- text, by length and then digit by digit: numbers are exact only up to 2^53 here.
--   ARGV  c to claim or a to be admitted, token, id of the hold
local fence, mode, token, hold = KEYS[1], ARGV[1], ARGV[2], ARGV[3]
local stored = redis.call('GET', fence)
local last, by = string.match(stored or '0 ', '^(%d+) (.*)$')
if not last then
  return {'F'}
end
local same = stored and token == last and hold == by
local newer = #token > #last or #token == #last and token > last
if not same and not newer then
  return {'S', last}
end
if mode == 'c' and not same then
  redis.call('SET', fence, token .. ' ' .. hold)
end
