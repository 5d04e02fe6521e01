/** The tenants of an app that has made them itself. */
export declare function readTenants(): Promise<{ id: string; name: string; slug: string }[]>;
