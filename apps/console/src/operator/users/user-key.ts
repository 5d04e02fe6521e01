export const userKey = (tenantId: string, userId: string) => ["user", tenantId, userId];
