import { useState } from "react";
import { Button } from "../../ui/Button";
import { Card } from "../../ui/Card";
import { Notice } from "../../ui/Notice";
import { TextField } from "../../ui/TextField";
import type { Tenant } from "../api/tenants";
import { SlugField } from "../tenants/SlugField";
import { findSlugProblem, isAboutSlug } from "../tenants/slug-rules";
import { useTenantChange } from "./tenant-change";

export function NameForm({ tenant }: { tenant: Tenant }) {
	const [name, setName] = useState(tenant.name);
	const [slug, setSlug] = useState(tenant.slug);
	const save = useTenantChange(tenant);
	const isChanged = name.trim() !== tenant.name || slug !== tenant.slug;
	const isValid = name.trim() !== "" && (slug === tenant.slug || findSlugProblem(slug) === null);
	return (
		<Card title="Name and slug">
			<form
				className="stack"
				onSubmit={(event) => {
					event.preventDefault();
					if (isChanged && isValid && !save.isPending) save.mutate({ name: name.trim(), slug });
				}}
			>
				{save.error && !isAboutSlug(save.error) && (
					<Notice kind="danger">{save.error.message}</Notice>
				)}
				<TextField
					label="Name"
					value={name}
					onChange={(event) => setName(event.target.value)}
					maxLength={200}
					autoComplete="off"
					required
				/>
				<SlugField
					value={slug}
					current={tenant.slug}
					onChange={(typed) => {
						save.reset();
						setSlug(typed);
					}}
					error={isAboutSlug(save.error) ? save.error?.message : undefined}
				/>
				{slug !== tenant.slug && (
					<Notice kind="warning">
						The addresses of its pages change with the slug: links to the old ones stop working.
					</Notice>
				)}
				<div className="row">
					<Button
						kind="primary"
						type="submit"
						busy={save.isPending}
						disabled={!isChanged || !isValid}
					>
						Save name and slug
					</Button>
				</div>
			</form>
		</Card>
	);
}
