import { useState } from "react";
import { Button } from "../../ui/Button";
import { Card } from "../../ui/Card";
import { Notice } from "../../ui/Notice";
import { TextField } from "../../ui/TextField";
import type { Tenant } from "../api/tenants";
import { type Branding, brandingOf, findBrandingProblems, withBranding } from "../tenants/branding";
import { TenantLogo } from "../tenants/TenantLogo";
import { ColorField } from "./ColorField";
import { useTenantChange } from "./tenant-change";

export function BrandingForm({ tenant }: { tenant: Tenant }) {
	const stored = brandingOf(tenant.metadata);
	const [branding, setBranding] = useState(stored);
	const save = useTenantChange(tenant);
	const problems = findBrandingProblems(branding);
	const isChanged = JSON.stringify(branding) !== JSON.stringify(stored);
	const isValid = Object.keys(problems).length === 0;
	const set = (name: keyof Branding) => (value: string) =>
		setBranding((current) => ({ ...current, [name]: value }));
	const field = (name: keyof Branding) => ({
		value: branding[name],
		onChange: (event: { target: { value: string } }) => set(name)(event.target.value),
		error: problems[name],
		autoComplete: "off",
	});
	return (
		<Card title="Branding" hint="What its sign-in pages and mails show. Public.">
			<form
				className="stack"
				onSubmit={(event) => {
					event.preventDefault();
					if (!isChanged || !isValid || save.isPending) return;
					save.mutate({ metadata: withBranding(tenant.metadata, branding) });
				}}
			>
				{save.error && <Notice kind="danger">{save.error.message}</Notice>}
				<div className="with-logo">
					<TenantLogo tenant={{ name: tenant.name, metadata: { branding } }} />
					<div className="grow">
						<TextField
							label="Logo address"
							type="url"
							placeholder="https://"
							{...field("logoUrl")}
						/>
					</div>
				</div>
				<ColorField
					label="Main colour"
					value={branding.primaryColor}
					onChange={set("primaryColor")}
					error={problems.primaryColor}
				/>
				<TextField label="Tagline" maxLength={200} {...field("tagline")} />
				<TextField label="Support address" type="email" {...field("supportEmail")} />
				<div className="row">
					<Button
						kind="primary"
						type="submit"
						busy={save.isPending}
						disabled={!isChanged || !isValid}
					>
						Save branding
					</Button>
				</div>
			</form>
		</Card>
	);
}
