import { pgTable, text } from "drizzle-orm/pg-core";

export const user = pgTable("user", { id: text("id").primaryKey() });
