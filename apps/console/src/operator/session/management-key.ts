const STORED_AS = "console.management-key";

/** Kept until the tab is closed, and shown nowhere. */
export const findManagementKey = (): string | null => sessionStorage.getItem(STORED_AS);

export const keepManagementKey = (key: string): void => sessionStorage.setItem(STORED_AS, key);

export const forgetManagementKey = (): void => sessionStorage.removeItem(STORED_AS);
