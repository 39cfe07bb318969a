-- The server's time, read once: durations are counted on it, and it is compared with no other clock.
local us = clock[1] * 1000000 + clock[2]
local ms = math.floor(us / 1000)

-- A whole number as text, exact up to 2^53 and for larger ones with as many significant bits. Far
-- faster than %.0f, which prints by long division.
local function digits(number)
  return string.format('%d', number)
end

