-- Returns the id under which a mutex of this ticket is kept without its client: the 32 hex digits of
-- the client are complemented. See verbs/keep-any.lua.
local COMPLEMENTS = {['0'] = 'f', ['1'] = 'e', ['2'] = 'd', ['3'] = 'c', ['4'] = 'b', ['5'] = 'a',
  ['6'] = '9', ['7'] = '8', ['8'] = '7', ['9'] = '6', a = '5', b = '4', c = '3', d = '2', e = '1',
  f = '0'}
local function keptAs(id)
  return string.gsub(string.sub(id, 1, 32), '%x', COMPLEMENTS) .. string.sub(id, 33)
end
