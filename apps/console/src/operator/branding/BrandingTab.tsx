import { whyNotSaved } from "../save-reasons";
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
import { type ImageField, TENANTS_KEY } from "../api/tenants";
import { TenantPageHeader } from "../current-tenant/TenantPageHeader";
import { useTenant } from "../current-tenant/tenant-context";
import { useUnsavedChanges } from "../unsaved-changes";
import {
	type BrandingValues,
	findBrandingProblems,
	toBrandingValues,
	withBranding,
} from "./branding-values";
import { ColorField } from "./ColorField";
import { type ChosenLogo, LogoField, type LogoTexts } from "./LogoField";
import { base64Of } from "./prepare-logo";
import { SignInPreview } from "./SignInPreview";

/** What users see of a tenant: its fields, and the sign-in page as it will look. */
export function BrandingTab() {
	const tenant = useTenant();
	const stored = toBrandingValues(tenant.metadata);
	const [values, setValues] = useState(stored);
	const [chosen, setChosen] = useState<ChosenImages>({});
	const choose = (name: ImageField, image: ChosenLogo | null) =>
		setChosen(({ [name]: _, ...others }) => (image ? { ...others, [name]: image } : others));
	const setValue = (name: BrandingField, value: string) =>
		setValues((current) => ({ ...current, [name]: value }));
	const save = useSaveBranding({
		values,
		chosen,
		onUploaded: (name, url) => {
			choose(name, null);
			setValue(name, url);
		},
	});
	const problems = findBrandingProblems(values);
	const isChanged = Object.keys(chosen).length > 0 || !isSame(values, stored);
	const reason = whyNotSaved(isChanged, Object.keys(problems).length === 0);
	useUnsavedChanges(isChanged && !save.isPending);
	const field = (name: BrandingField) => ({
		value: values[name],
		onValueChange: (value: string) => setValue(name, value),
		error: problems[name],
	});
	return (
		<div className="stack">
			<TenantPageHeader
				title="Branding"
				hint="Public. The tenant's sign-in pages and emails show it."
			/>
			<div className="branding">
				<Card>
					<Form onSubmit={() => reason === null && !save.isPending && save.mutate()}>
						{save.error && <Notice kind="danger">{save.error.message}</Notice>}
						{IMAGE_FIELDS.map((name) => (
							<LogoField
								key={name}
								texts={IMAGES[name]}
								url={values[name]}
								onUrlChange={(url) => setValue(name, url)}
								urlError={problems[name]}
								chosen={chosen[name] ?? null}
								onChoose={(image) => choose(name, image)}
							/>
						))}
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
						<TextField
							label="Terms of service"
							hint="A link on the sign-in pages. People accept the terms when they sign up."
							{...LINK}
							{...field("termsUrl")}
						/>
						<TextField
							label="Privacy policy"
							hint="A link on the sign-in pages."
							{...LINK}
							{...field("privacyUrl")}
						/>
						<div className="row">
							<Button kind="primary" type="submit" busy={save.isPending} unavailable={reason}>
								Save branding
							</Button>
							{isChanged && !save.isPending && (
								<Button
									onClick={() => {
										setValues(stored);
										setChosen({});
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
						...dataUrlsOf(chosen),
					}}
				/>
			</div>
		</div>
	);
}

const LINK = { type: "url", placeholder: "https://", autoComplete: "off" } as const;

const isSame = (a: BrandingValues, b: BrandingValues) => JSON.stringify(a) === JSON.stringify(b);

type ChosenImages = Partial<Record<ImageField, ChosenLogo>>;

const IMAGES: Record<ImageField, LogoTexts> = {
	logoUrl: { name: "Logo", upload: "Upload a logo", url: "Logo URL", hint: "" },
	darkLogoUrl: {
		name: "Logo for dark pages",
		upload: "Upload a dark logo",
		url: "URL of the dark logo",
		hint: "For people who use the dark theme. Empty: the same logo.",
	},
	faviconUrl: {
		name: "Icon",
		upload: "Upload an icon",
		url: "Icon URL",
		hint: "A square image for the tab of the browser. Empty: the icon of the service.",
	},
};

const IMAGE_FIELDS = Object.keys(IMAGES) as ImageField[];

const dataUrlsOf = (chosen: ChosenImages) =>
	Object.fromEntries(Object.entries(chosen).map(([name, { dataUrl }]) => [name, dataUrl]));

type Unsaved = {
	values: BrandingValues;
	chosen: ChosenImages;
	onUploaded: (name: ImageField, url: string) => void;
};

/** An upload makes an image part of the branding. The other fields follow, if one of them changed. */
function useSaveBranding({ values, chosen, onUploaded }: Unsaved) {
	const { id, metadata } = useTenant();
	const { tenantQuery, updateTenant, uploadLogo } = useApi();
	const queryClient = useQueryClient();
	return useApiMutation({
		mutationFn: async () => {
			const stored = toBrandingValues(metadata);
			const next = { ...values };
			for (const name of IMAGE_FIELDS) {
				const image = chosen[name];
				if (!image) continue;
				const { [name]: url = "" } = await uploadLogo(id, name, base64Of(image.dataUrl));
				onUploaded(name, url);
				stored[name] = url;
				next[name] = url;
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
