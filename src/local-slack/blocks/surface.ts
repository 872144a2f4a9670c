/** Where blocks can stand. */
export type Surface = 'message' | 'modal' | 'home'
