-- A resource as an operator meets it: whether it keeps an order shows when it is looked at. See
-- any-keys.lua and line-keys.lua. Keys of tickets are made here, because nobody outside knows ids.
local lock, waiters, infos = KEYS[1], KEYS[2], KEYS[3]
local line, waiting, holding, watched = KEYS[1], KEYS[4], KEYS[5], KEYS[6]
local bucket, needed = KEYS[7], KEYS[8]

local function gone(id)
  return bucket .. ':x:' .. id
end
