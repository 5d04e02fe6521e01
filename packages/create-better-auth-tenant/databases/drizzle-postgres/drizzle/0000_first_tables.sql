CREATE TABLE "account" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"user_id" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp,
	"refresh_token_expires_at" timestamp,
	"scope" text,
	"password" text,
	"created_at" timestamp DEFAULT now() NOT NULL,
	"updated_at" timestamp NOT NULL,
	"tenant_id" text DEFAULT '' NOT NULL,
	"authority" text,
	"oauth_client" text
);
--> statement-breakpoint
CREATE TABLE "session" (
	"id" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp NOT NULL,
	"token" text NOT NULL,
	"created_at" timestamp DEFAULT now() NOT NULL,
	"updated_at" timestamp NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"user_id" text NOT NULL,
	"tenant_id" text DEFAULT '' NOT NULL,
	"tenant_impersonator" text,
	CONSTRAINT "session_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "tenant" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"slug" text NOT NULL,
	"metadata" text,
	"policy" text,
	"webhooks" text,
	"created_at" timestamp DEFAULT now() NOT NULL,
	"updated_at" timestamp DEFAULT now() NOT NULL,
	"erasing_since" timestamp,
	"suspended_at" timestamp,
	CONSTRAINT "tenant_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "tenant_audit_event" (
	"id" text PRIMARY KEY NOT NULL,
	"created_at" timestamp DEFAULT now() NOT NULL,
	"action" text NOT NULL,
	"tenant_id" text NOT NULL,
	"actor_kind" text NOT NULL,
	"actor_id" text,
	"actor_name" text,
	"target_id" text,
	"ip_address" text,
	"user_agent" text,
	"detail" text
);
--> statement-breakpoint
CREATE TABLE "tenant_former_slug" (
	"id" text PRIMARY KEY NOT NULL,
	"slug" text NOT NULL,
	"tenant_id" text NOT NULL,
	"created_at" timestamp DEFAULT now() NOT NULL,
	CONSTRAINT "tenant_former_slug_slug_unique" UNIQUE("slug")
);
--> statement-breakpoint
CREATE TABLE "tenant_oauth_config" (
	"id" text PRIMARY KEY NOT NULL,
	"tenant_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"client_id" text NOT NULL,
	"client_secret" text NOT NULL,
	"scopes" text,
	"redirect_uri" text,
	"options" text,
	"trust_emails" text,
	"enabled" boolean DEFAULT true NOT NULL,
	"failed_at" timestamp,
	"failure" text,
	"created_at" timestamp DEFAULT now() NOT NULL,
	"updated_at" timestamp DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "tenant_row" (
	"id" text PRIMARY KEY NOT NULL,
	"model" text NOT NULL,
	"row_id" text NOT NULL,
	"tenant_id" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "user" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"created_at" timestamp DEFAULT now() NOT NULL,
	"updated_at" timestamp DEFAULT now() NOT NULL,
	"tenant_id" text DEFAULT '' NOT NULL,
	"tenant_role" text,
	"disabled_at" timestamp
);
--> statement-breakpoint
CREATE TABLE "verification" (
	"id" text PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp NOT NULL,
	"created_at" timestamp DEFAULT now() NOT NULL,
	"updated_at" timestamp DEFAULT now() NOT NULL,
	"tenant_id" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
ALTER TABLE "account" ADD CONSTRAINT "account_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "tenant_oauth_config" ADD CONSTRAINT "tenant_oauth_config_tenant_id_tenant_id_fk" FOREIGN KEY ("tenant_id") REFERENCES "public"."tenant"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "account_tenantId_providerId_accountId_uidx" ON "account" USING btree ("tenant_id","provider_id","account_id");--> statement-breakpoint
CREATE INDEX "account_userId_idx" ON "account" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "session_tenantId_userId_idx" ON "session" USING btree ("tenant_id","user_id");--> statement-breakpoint
CREATE INDEX "session_tenantId_createdAt_idx" ON "session" USING btree ("tenant_id","created_at");--> statement-breakpoint
CREATE INDEX "session_userId_idx" ON "session" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "tenant_createdAt_idx" ON "tenant" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "tenantAuditEvent_tenantId_createdAt_idx" ON "tenant_audit_event" USING btree ("tenant_id","created_at");--> statement-breakpoint
CREATE INDEX "tenantAuditEvent_createdAt_idx" ON "tenant_audit_event" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "tenantFormerSlug_tenantId_idx" ON "tenant_former_slug" USING btree ("tenant_id");--> statement-breakpoint
CREATE UNIQUE INDEX "tenantOauthConfig_tenantId_providerId_uidx" ON "tenant_oauth_config" USING btree ("tenant_id","provider_id");--> statement-breakpoint
CREATE UNIQUE INDEX "tenantRow_model_rowId_uidx" ON "tenant_row" USING btree ("model","row_id");--> statement-breakpoint
CREATE INDEX "tenantRow_tenantId_model_idx" ON "tenant_row" USING btree ("tenant_id","model");--> statement-breakpoint
CREATE UNIQUE INDEX "user_tenantId_email_uidx" ON "user" USING btree ("tenant_id","email");--> statement-breakpoint
CREATE INDEX "user_tenantId_createdAt_idx" ON "user" USING btree ("tenant_id","created_at");--> statement-breakpoint
CREATE INDEX "verification_tenantId_identifier_idx" ON "verification" USING btree ("tenant_id","identifier");--> statement-breakpoint
CREATE INDEX "verification_tenantId_expiresAt_idx" ON "verification" USING btree ("tenant_id","expires_at");--> statement-breakpoint
CREATE INDEX "verification_identifier_idx" ON "verification" USING btree ("identifier");