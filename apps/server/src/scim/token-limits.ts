/** How many tokens of a tenant are valid at the same time. */
export const MAX_TOKENS = 5;

export const MAX_TOKEN_DAYS = 3650;
