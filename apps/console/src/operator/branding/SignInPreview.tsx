import { useQuery } from "@tanstack/react-query";
import type { Branding } from "better-auth-tenant/rules";
import { useMemo, useState } from "react";
import type { LoginOptions } from "../../api/login-options";
import serviceIcon from "../../design/icon.svg";
import { createTenantClient } from "../../sign-in/client";
import { SignInPage } from "../../sign-in/SignInPage";
import { TenantContext } from "../../sign-in/tenant-context";
import { en } from "../../sign-in/texts/en";
import { TextsContext } from "../../sign-in/texts/texts";
import { Card } from "../../ui/layout";
import { useApi } from "../api/context";
import { useMayInTenant, useTenant } from "../current-tenant/tenant-context";
import { type Device, PageFrame, type Theme } from "./PageFrame";

const DEVICES: Record<Device, string> = { desktop: "Desktop", phone: "Phone" };
const THEMES: Record<Theme, string> = { light: "Light", dark: "Dark" };

/** The tenant's real sign-in page with a branding that is not saved. Nothing in it can be used. */
export function SignInPreview({ branding }: { branding: Branding }) {
	// On a phone, a whole desktop would be too small to read.
	const [device, setDevice] = useState<Device>(() =>
		matchMedia("(max-width: 40rem)").matches ? "phone" : "desktop",
	);
	const [theme, setTheme] = useState<Theme>("light");
	return (
		<Card
			title="Preview"
			hint="The sign-in page with these values."
			actions={
				<>
					<Choice label="Width" options={DEVICES} value={device} onChange={setDevice} />
					<Choice label="Theme" options={THEMES} value={theme} onChange={setTheme} />
				</>
			}
		>
			<PreviewTab icon={branding.faviconUrl} />
			<PageFrame
				title="Preview of the sign-in page"
				device={device}
				theme={theme}
				accent={branding.primaryColor}
			>
				<SignInWith branding={branding} />
			</PageFrame>
		</Card>
	);
}

/** The tab of a browser, with the tenant's icon. */
function PreviewTab({ icon }: { icon: string | undefined }) {
	const { name } = useTenant();
	return (
		<p className="preview-tab small muted" aria-hidden="true">
			<img src={icon ?? serviceIcon} alt="" width="16" height="16" referrerPolicy="no-referrer" />
			<span>
				{en.signIn.title} · {name}
			</span>
		</p>
	);
}

/** A tenant that is suspended has no options. Its page is shown as it usually is. */
const USUAL_OPTIONS: Omit<LoginOptions, "tenant" | "branding"> = {
	email: { signIn: true, signUp: true, reset: true, verification: false },
	password: { minLength: 8, maxLength: 128 },
	providers: [],
	methods: ["password"],
	signUp: "open",
	secondFactorRequired: false,
};

function SignInWith({ branding }: { branding: Branding }) {
	const { id, name, slug } = useTenant();
	const { loginOptionsQuery, serviceInfoQuery, samlQuery } = useApi();
	const may = useMayInTenant();
	const { data, isPending } = useQuery(loginOptionsQuery(id));
	const { data: info } = useQuery(serviceInfoQuery);
	const { data: saml } = useQuery({
		...samlQuery(id),
		enabled: Boolean(info?.saml) && may("saml:get"),
	});
	const client = useMemo(() => createTenantClient(id), [id]);
	if (isPending) return null;
	const options: LoginOptions = {
		...(data ?? USUAL_OPTIONS),
		tenant: { id, name, slug },
		branding,
		// The page would ask who is signed in.
		secondFactorRequired: false,
	};
	const pageUrl = (path: string) => `/${path}`;
	const value = {
		options,
		client,
		pageUrl,
		callbackUrl: null,
		hasAdminPages: false,
		hasSaml: Boolean(saml?.identityProvider),
		// The console loads no script of others.
		captcha: null,
		hasEmailCodes: false,
	};
	return (
		<TextsContext value={en}>
			<TenantContext value={value}>
				<SignInPage />
			</TenantContext>
		</TextsContext>
	);
}

type ChoiceProps<Value extends string> = {
	label: string;
	options: Record<Value, string>;
	value: Value;
	onChange: (value: Value) => void;
};

function Choice<Value extends string>({ label, options, value, onChange }: ChoiceProps<Value>) {
	return (
		<fieldset className="choice">
			<legend className="visually-hidden">{label}</legend>
			{(Object.keys(options) as Value[]).map((option) => (
				<label key={option}>
					<input
						type="radio"
						name={label}
						className="visually-hidden"
						checked={option === value}
						onChange={() => onChange(option)}
					/>
					{options[option]}
				</label>
			))}
		</fieldset>
	);
}
