/** The languages of the tenants' pages and of emails. */
export const LANGUAGES = ["en", "de", "fr", "es", "ja"] as const;

export type Language = (typeof LANGUAGES)[number];
