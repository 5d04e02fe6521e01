import { createApiClient } from "../../api/client";

const STORAGE_KEY = "console.management-key";

/** The management key is kept until the tab is closed, and never shown. */
export const findManagementKey = (): string | null => sessionStorage.getItem(STORAGE_KEY);

export const saveManagementKey = (key: string): void => sessionStorage.setItem(STORAGE_KEY, key);

export const forgetManagementKey = (): void => sessionStorage.removeItem(STORAGE_KEY);

/** Sends the management key. Without one, the session cookie of the browser counts. */
export const client = createApiClient({ findToken: findManagementKey });
