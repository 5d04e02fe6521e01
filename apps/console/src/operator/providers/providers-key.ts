export const providersKey = (tenantId: string) => ["providers", tenantId];

export const configsKey = (tenantId: string) => ["configs", tenantId];
