return {'K'}
