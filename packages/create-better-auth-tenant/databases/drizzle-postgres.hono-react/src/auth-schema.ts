import { relations } from "drizzle-orm";
import {
  pgTable,
  text,
  timestamp,
  boolean,
  index,
  uniqueIndex,
} from "drizzle-orm/pg-core";

export const user = pgTable(
  "user",
  {
    id: text("id").primaryKey(),
    name: text("name").notNull(),
    email: text("email").notNull(),
    emailVerified: boolean("email_verified").default(false).notNull(),
    image: text("image"),
    createdAt: timestamp("created_at").defaultNow().notNull(),
    updatedAt: timestamp("updated_at")
      .defaultNow()
      .$onUpdate(() => /* @__PURE__ */ new Date())
      .notNull(),
    tenantId: text("tenant_id").default("").notNull(),
    tenantRole: text("tenant_role"),
    disabledAt: timestamp("disabled_at"),
  },
  (table) => [
    uniqueIndex("user_tenantId_email_uidx").on(table.tenantId, table.email),
    index("user_tenantId_createdAt_idx").on(table.tenantId, table.createdAt),
  ],
);

export const session = pgTable(
  "session",
  {
    id: text("id").primaryKey(),
    expiresAt: timestamp("expires_at").notNull(),
    token: text("token").notNull().unique(),
    createdAt: timestamp("created_at").defaultNow().notNull(),
    updatedAt: timestamp("updated_at")
      .$onUpdate(() => /* @__PURE__ */ new Date())
      .notNull(),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    tenantId: text("tenant_id").default("").notNull(),
    tenantImpersonator: text("tenant_impersonator"),
  },
  (table) => [
    index("session_tenantId_userId_idx").on(table.tenantId, table.userId),
    index("session_tenantId_createdAt_idx").on(table.tenantId, table.createdAt),
    index("session_userId_idx").on(table.userId),
  ],
);

export const account = pgTable(
  "account",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(),
    providerId: text("provider_id").notNull(),
    userId: text("user_id")
      .notNull()
      .references(() => user.id, { onDelete: "cascade" }),
    accessToken: text("access_token"),
    refreshToken: text("refresh_token"),
    idToken: text("id_token"),
    accessTokenExpiresAt: timestamp("access_token_expires_at"),
    refreshTokenExpiresAt: timestamp("refresh_token_expires_at"),
    scope: text("scope"),
    password: text("password"),
    createdAt: timestamp("created_at").defaultNow().notNull(),
    updatedAt: timestamp("updated_at")
      .$onUpdate(() => /* @__PURE__ */ new Date())
      .notNull(),
    tenantId: text("tenant_id").default("").notNull(),
    authority: text("authority"),
    oauthClient: text("oauth_client"),
  },
  (table) => [
    uniqueIndex("account_tenantId_providerId_accountId_uidx").on(
      table.tenantId,
      table.providerId,
      table.accountId,
    ),
    index("account_userId_idx").on(table.userId),
  ],
);

export const verification = pgTable(
  "verification",
  {
    id: text("id").primaryKey(),
    identifier: text("identifier").notNull(),
    value: text("value").notNull(),
    expiresAt: timestamp("expires_at").notNull(),
    createdAt: timestamp("created_at").defaultNow().notNull(),
    updatedAt: timestamp("updated_at")
      .defaultNow()
      .$onUpdate(() => /* @__PURE__ */ new Date())
      .notNull(),
    tenantId: text("tenant_id").default("").notNull(),
  },
  (table) => [
    index("verification_tenantId_identifier_idx").on(
      table.tenantId,
      table.identifier,
    ),
    index("verification_tenantId_expiresAt_idx").on(
      table.tenantId,
      table.expiresAt,
    ),
    index("verification_identifier_idx").on(table.identifier),
  ],
);

export const tenant = pgTable(
  "tenant",
  {
    id: text("id").primaryKey(),
    name: text("name").notNull(),
    slug: text("slug").notNull().unique(),
    metadata: text("metadata"),
    policy: text("policy"),
    webhooks: text("webhooks"),
    createdAt: timestamp("created_at").defaultNow().notNull(),
    updatedAt: timestamp("updated_at").defaultNow().notNull(),
    erasingSince: timestamp("erasing_since"),
    suspendedAt: timestamp("suspended_at"),
  },
  (table) => [index("tenant_createdAt_idx").on(table.createdAt)],
);

export const tenantOauthConfig = pgTable(
  "tenant_oauth_config",
  {
    id: text("id").primaryKey(),
    tenantId: text("tenant_id")
      .notNull()
      .references(() => tenant.id, { onDelete: "cascade" }),
    providerId: text("provider_id").notNull(),
    clientId: text("client_id").notNull(),
    clientSecret: text("client_secret").notNull(),
    scopes: text("scopes"),
    redirectURI: text("redirect_uri"),
    options: text("options"),
    trustEmails: text("trust_emails"),
    enabled: boolean("enabled").default(true).notNull(),
    failedAt: timestamp("failed_at"),
    failure: text("failure"),
    createdAt: timestamp("created_at").defaultNow().notNull(),
    updatedAt: timestamp("updated_at").defaultNow().notNull(),
  },
  (table) => [
    uniqueIndex("tenantOauthConfig_tenantId_providerId_uidx").on(
      table.tenantId,
      table.providerId,
    ),
  ],
);

export const tenantRow = pgTable(
  "tenant_row",
  {
    id: text("id").primaryKey(),
    model: text("model").notNull(),
    rowId: text("row_id").notNull(),
    tenantId: text("tenant_id").notNull(),
  },
  (table) => [
    uniqueIndex("tenantRow_model_rowId_uidx").on(table.model, table.rowId),
    index("tenantRow_tenantId_model_idx").on(table.tenantId, table.model),
  ],
);

export const tenantFormerSlug = pgTable(
  "tenant_former_slug",
  {
    id: text("id").primaryKey(),
    slug: text("slug").notNull().unique(),
    tenantId: text("tenant_id").notNull(),
    createdAt: timestamp("created_at").defaultNow().notNull(),
  },
  (table) => [index("tenantFormerSlug_tenantId_idx").on(table.tenantId)],
);

export const tenantAuditEvent = pgTable(
  "tenant_audit_event",
  {
    id: text("id").primaryKey(),
    createdAt: timestamp("created_at").defaultNow().notNull(),
    action: text("action").notNull(),
    tenantId: text("tenant_id").notNull(),
    actorKind: text("actor_kind").notNull(),
    actorId: text("actor_id"),
    actorName: text("actor_name"),
    targetId: text("target_id"),
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    detail: text("detail"),
  },
  (table) => [
    index("tenantAuditEvent_tenantId_createdAt_idx").on(
      table.tenantId,
      table.createdAt,
    ),
    index("tenantAuditEvent_createdAt_idx").on(table.createdAt),
  ],
);

export const note = pgTable("note", {
  id: text("id").primaryKey(),
  userId: text("user_id")
    .notNull()
    .references(() => user.id, { onDelete: "cascade" }),
  text: text("text").notNull(),
  createdAt: timestamp("created_at").notNull(),
});

export const userRelations = relations(user, ({ many }) => ({
  sessions: many(session),
  accounts: many(account),
  notes: many(note),
}));

export const sessionRelations = relations(session, ({ one }) => ({
  user: one(user, {
    fields: [session.userId],
    references: [user.id],
  }),
}));

export const accountRelations = relations(account, ({ one }) => ({
  user: one(user, {
    fields: [account.userId],
    references: [user.id],
  }),
}));

export const tenantRelations = relations(tenant, ({ many }) => ({
  tenantOauthConfigs: many(tenantOauthConfig),
}));

export const tenantOauthConfigRelations = relations(
  tenantOauthConfig,
  ({ one }) => ({
    tenant: one(tenant, {
      fields: [tenantOauthConfig.tenantId],
      references: [tenant.id],
    }),
  }),
);

export const noteRelations = relations(note, ({ one }) => ({
  user: one(user, {
    fields: [note.userId],
    references: [user.id],
  }),
}));
