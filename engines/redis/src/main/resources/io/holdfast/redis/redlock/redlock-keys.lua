-- A resource at one master of Redlock. The names differ from those of a server that is used alone.
--   lock    ID BALLOT GENERATION OWNER, with the lease as its expiry
--   wants   the latest waiter, for as long as it takes to ask again
--   bucket  hash: v layout, c highest ballot, g:NAMESPACE generation above 0, r run id of the
--           process that wrote c
--   gone    up to which ballot the attempts of this ticket are over
local lock, wants, bucket, gone = KEYS[1], KEYS[2], KEYS[3], KEYS[4]

local function wanted(id)
  local who = redis.call('GET', wants)
  return who and who ~= id and 1 or 0
end

-- Returns the holder: ticket, ballot, generation, owner; nil if it is free.
local function holder()
  local held = redis.call('GET', lock)
  if not held then
    return nil
  end
  local who, ballot, generation, owner = string.match(held, '^(%S+) (%d+) (%d+) (.*)$')
  return who or '?', tonumber(ballot), generation, owner
end
