import "./branding.css";
import { useQueryClient } from "@tanstack/react-query";
import { BRANDING_LIMITS, type BrandingField, brandingOf } from "better-auth-tenant/rules";
import { useState } from "react";
import { useApiMutation } from "../../api/query-client";
import { Button } from "../../ui/Button";
import { Notice } from "../../ui/feedback";
import { Form, TextField } from "../../ui/fields";
import { Card } from "../../ui/layout";
import { useApi } from "../api/context";
import { TENANTS_KEY } from "../api/tenants";
import { useTenant } from "../current-tenant/tenant-context";
import { titleOf } from "../product";
import { useUnsavedChanges } from "../unsaved-changes";
import {
	type BrandingValues,
	findBrandingProblems,
	toBrandingValues,
	withBranding,
} from "./branding-values";
import { ColorField } from "./ColorField";
import { type ChosenLogo, LogoField } from "./LogoField";
import { base64Of } from "./prepare-logo";
import { SignInPreview } from "./SignInPreview";

/** What users see of a tenant: its fields, and the sign-in page as it will look. */
export function BrandingTab() {
	const tenant = useTenant();
	const stored = toBrandingValues(tenant.metadata);
	const [values, setValues] = useState(stored);
	const [chosen, setChosen] = useState<ChosenLogo | null>(null);
	const setValue = (name: BrandingField, value: string) =>
		setValues((current) => ({ ...current, [name]: value }));
	const save = useSaveBranding({
		values,
		chosen,
		onUploaded: (logoUrl) => {
			setChosen(null);
			setValue("logoUrl", logoUrl);
		},
	});
	const problems = findBrandingProblems(values);
	const isChanged = chosen !== null || !isSame(values, stored);
	const isReady = isChanged && Object.keys(problems).length === 0;
	useUnsavedChanges(isChanged && !save.isPending);
	const field = (name: BrandingField) => ({
		value: values[name],
		onValueChange: (value: string) => setValue(name, value),
		error: problems[name],
	});
	return (
		<div className="branding">
			<title>{titleOf("Branding", tenant.name)}</title>
			<Card title="Branding" hint="Public. The tenant's sign-in pages and emails show it.">
				<Form onSubmit={() => isReady && !save.isPending && save.mutate()}>
					{save.error && <Notice kind="danger">{save.error.message}</Notice>}
					<LogoField
						url={values.logoUrl}
						onUrlChange={(url) => setValue("logoUrl", url)}
						urlError={problems.logoUrl}
						chosen={chosen}
						onChoose={setChosen}
					/>
					<ColorField label="Primary color" {...field("primaryColor")} />
					<TextField
						label="Tagline"
						hint="One line below the name."
						maxLength={BRANDING_LIMITS.tagline}
						autoComplete="off"
						{...field("tagline")}
					/>
					<TextField
						label="Support email"
						hint="Where users get help if they cannot sign in."
						type="email"
						autoComplete="off"
						{...field("supportEmail")}
					/>
					<div className="row">
						<Button kind="primary" type="submit" busy={save.isPending} disabled={!isReady}>
							Save branding
						</Button>
						{isChanged && !save.isPending && (
							<Button
								onClick={() => {
									setValues(stored);
									setChosen(null);
									save.reset();
								}}
							>
								Discard changes
							</Button>
						)}
					</div>
				</Form>
			</Card>
			<SignInPreview
				branding={{
					...brandingOf({ branding: values }),
					...(chosen ? { logoUrl: chosen.dataUrl } : {}),
				}}
			/>
		</div>
	);
}

const isSame = (a: BrandingValues, b: BrandingValues) => JSON.stringify(a) === JSON.stringify(b);

type Unsaved = {
	values: BrandingValues;
	chosen: ChosenLogo | null;
	onUploaded: (logoUrl: string) => void;
};

/** The upload makes the image the tenant's logo. The other fields follow, if one of them changed. */
function useSaveBranding({ values, chosen, onUploaded }: Unsaved) {
	const { id, metadata } = useTenant();
	const { tenantQuery, updateTenant, uploadLogo } = useApi();
	const queryClient = useQueryClient();
	return useApiMutation({
		mutationFn: async () => {
			const stored = toBrandingValues(metadata);
			let next = values;
			if (chosen) {
				const { logoUrl } = await uploadLogo(id, base64Of(chosen.dataUrl));
				onUploaded(logoUrl);
				stored.logoUrl = logoUrl;
				next = { ...values, logoUrl };
			}
			if (!isSame(next, stored)) {
				const changed = await updateTenant(id, { metadata: withBranding(metadata, next) });
				// Other forms build on the stored metadata, so they need the new one at once.
				queryClient.setQueryData(tenantQuery(id).queryKey, changed);
			}
		},
		successMessage: "Saved.",
		invalidate: [tenantQuery(id).queryKey, TENANTS_KEY],
	});
}
