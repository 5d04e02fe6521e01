import { CALLBACK, type Guide } from "./guide";

/** By the id of the built-in provider. */
export const SOCIAL_GUIDES: Readonly<Record<string, Guide>> = {
	google: {
		place: "the Google Cloud console",
		url: "https://console.cloud.google.com/auth/clients",
		steps: [
			"Choose a project. If it has no app yet, press **Get started**, and enter a name and a support email.",
			"As audience, choose **External**. With **Internal**, only people of your own Google Workspace can sign in.",
			"Open **Clients**, press **Create client**, and choose **Web application**.",
			`Under **Authorized redirect URIs**, add ${CALLBACK}.`,
			"Press **Create**. Copy **Client ID** and **Client secret** now: the secret is not shown again.",
			"Open **Audience** and press **Publish app**. Before that, only test users can sign in.",
		],
		errors: [
			{
				says: "`redirect_uri_mismatch`",
				help: "Add exactly the callback URL. A change can take some minutes.",
			},
			{
				says: "`access_denied` (error 403)",
				help: "The app is in testing. Publish it, or add the person as a test user.",
			},
			{
				says: "`org_internal`",
				help: "The audience is Internal, and the account is from elsewhere.",
			},
			{
				says: "`invalid_client`",
				help: "The client was deleted, or the secret belongs to another one.",
			},
		],
	},
	microsoft: {
		place: "the Microsoft Entra admin center",
		url: "https://entra.microsoft.com/#view/Microsoft_AAD_RegisteredApps/ApplicationsListBlade",
		steps: [
			"Open **App registrations** and press **New registration**.",
			"Under **Supported account types**, choose who may sign in. For one company, choose its own directory only.",
			`Under **Redirect URI**, choose the platform **Web** and enter ${CALLBACK}. Press **Register**.`,
			"Copy **Application (client) ID** into Client ID.",
			"If you chose one directory, copy **Directory (tenant) ID** into Entra directory.",
			"Open **Certificates & secrets**, press **New client secret**, and copy its **Value** at once. The Secret ID is not it.",
			"Note when the secret expires. Replace it here before that day.",
		],
		errors: [
			{
				says: "`AADSTS50011`",
				help: "The redirect URI differs. It must be exactly the callback URL, on the platform Web.",
			},
			{
				says: "`AADSTS7000215`",
				help: "The secret is wrong. Often its ID was copied in place of its value.",
			},
			{ says: "`AADSTS7000222`", help: "The secret has expired. Create a new one." },
			{
				says: "`AADSTS50020` or `AADSTS700016`",
				help: "The person is from another directory. Check the account types, and Entra directory below.",
			},
			{
				says: "“Need admin approval”",
				help: "An admin of the directory grants consent under **API permissions**.",
			},
		],
	},
	github: {
		place: "the developer settings of GitHub",
		url: "https://github.com/settings/developers",
		steps: [
			"Open **OAuth Apps** and press **New OAuth App**. For an organization, do it in the settings of the organization.",
			"Enter a name, which users see, and the URL of your website.",
			`As **Authorization callback URL**, enter ${CALLBACK}. Press **Register application**.`,
			"Copy **Client ID**.",
			"Press **Generate a new client secret** and copy it at once: it is not shown again.",
		],
		errors: [
			{
				says: "“The redirect_uri is not associated with this application”",
				help: "An OAuth app has one callback URL. Enter the one above.",
			},
			{ says: "`incorrect_client_credentials`", help: "Generate a new secret and save it here." },
			{
				says: "`email_not_found`",
				help: "It is a GitHub App and not an OAuth app. Let it read **Email addresses** under **Account permissions**.",
			},
		],
	},
	apple: {
		place: "Apple's Certificates, Identifiers & Profiles",
		url: "https://developer.apple.com/account/resources/identifiers/list",
		steps: [
			"Under **Identifiers**, add an **App ID** of the type App, and turn on **Sign in with Apple**.",
			"Add a **Services ID**. Its identifier, such as `com.example.web`, is the Client ID.",
			`Open the Services ID, turn on **Sign in with Apple**, and press **Configure**. Choose the App ID, and enter your domain, and ${CALLBACK} under **Return URLs**.`,
			"Under **Keys**, add a key with **Sign in with Apple** for this App ID. Download the file: it works once. Note the Key ID and your Team ID.",
			"Sign a JWT with this key (ES256, `kid` is the Key ID): `iss` is the Team ID, `sub` the Services ID, `aud` is `https://appleid.apple.com`, and `exp` is at most six months from now. It is the Client secret.",
			"Note when it expires. Sign a new one and save it here before that day.",
		],
		errors: [
			{
				says: "`invalid_client`",
				help: "The JWT has expired, or its `sub` is not the Services ID.",
			},
			{
				says: "“Invalid web redirect url”",
				help: "The return URL differs. Apple accepts https and a domain only, not localhost.",
			},
		],
	},
	gitlab: {
		place: "GitLab",
		url: "https://gitlab.com/-/user_settings/applications",
		steps: [
			"Open **Applications**: in your own settings, in the settings of a group, or in the admin area of your own server.",
			"Press **Add new application**, and enter a name.",
			`As **Redirect URI**, enter ${CALLBACK}. Leave **Confidential** on.`,
			"Choose the scope `read_user`, and save.",
			"Copy **Application ID** into Client ID, and **Secret** into Client secret.",
			"For your own server, enter its URL as Issuer.",
		],
		errors: [
			{
				says: "“The redirect URI included is not valid”",
				help: "It must be exactly the callback URL.",
			},
			{ says: "“The requested scope is invalid”", help: "Choose `read_user` in the application." },
			{ says: "`invalid_client`", help: "Renew the secret in GitLab and save it here." },
		],
	},
	facebook: {
		place: "Meta for Developers",
		url: "https://developers.facebook.com/apps",
		steps: [
			"Create an app with the use case for **Facebook Login**.",
			`Open the settings of Facebook Login, and enter ${CALLBACK} under **Valid OAuth Redirect URIs**.`,
			"In the permissions of the use case, add `email`.",
			"Open **App settings → Basic**. Copy **App ID** into Client ID, and **App secret** into Client secret.",
			"Enter the URL of your privacy policy, and publish the app. Before that, only people with a role in it can sign in.",
		],
		errors: [
			{ says: "“URL blocked”", help: "Add exactly the callback URL to the valid redirect URIs." },
			{ says: "“App not active”", help: "Publish the app." },
			{
				says: "`email_not_found`",
				help: "Add the permission `email`. Some accounts have no email at all.",
			},
		],
	},
	linkedin: {
		place: "LinkedIn for Developers",
		url: "https://www.linkedin.com/developers/apps",
		steps: [
			"Press **Create app**. It needs a LinkedIn page and a logo.",
			"Open **Products**, and request **Sign In with LinkedIn using OpenID Connect**.",
			`Open **Auth**, and add ${CALLBACK} under **Authorized redirect URLs for your app**.`,
			"Copy **Client ID** and **Primary Client Secret** from the same page.",
		],
		errors: [
			{
				says: "`unauthorized_scope_error`",
				help: "The product for sign-in is missing. Request it under **Products**.",
			},
			{ says: "“The redirect_uri does not match”", help: "Add exactly the callback URL." },
		],
	},
	slack: {
		place: "the Slack apps",
		url: "https://api.slack.com/apps",
		steps: [
			"Press **Create New App**, **From scratch**, and choose a workspace.",
			`Open **OAuth & Permissions**, add ${CALLBACK} under **Redirect URLs**, and press **Save URLs**.`,
			"Open **Basic Information**. Copy **Client ID** and **Client Secret** from **App Credentials**.",
			"For people of other workspaces, open **Manage Distribution** and activate it.",
		],
		errors: [
			{
				says: "`bad_redirect_uri`",
				help: "Add exactly the callback URL. Slack accepts https only.",
			},
			{
				says: "`invalid_team_for_non_distributed_app`",
				help: "The person is from another workspace. Activate the distribution.",
			},
		],
	},
	discord: {
		place: "the Discord developer portal",
		url: "https://discord.com/developers/applications",
		steps: [
			"Press **New Application** and enter a name, which users see.",
			`Open **OAuth2**, press **Add Redirect**, enter ${CALLBACK}, and save.`,
			"Copy **Client ID**.",
			"Press **Reset Secret** and copy it at once: it is not shown again.",
		],
		errors: [
			{ says: "“Invalid OAuth2 redirect_uri”", help: "Add exactly the callback URL, and save." },
			{ says: "`invalid_client`", help: "Reset the secret and save it here." },
		],
	},
	twitter: {
		place: "the X developer console",
		url: "https://console.x.com",
		steps: [
			"Create an app in a project.",
			"Open **User authentication settings**, and choose the type **Web App**, which is a confidential client.",
			"Turn on **Request email from users**. It needs the URLs of your terms and your privacy policy.",
			`As **Callback URI**, enter ${CALLBACK}, and save.`,
			"Copy **Client ID** and **Client Secret** of OAuth 2.0. The API key is something else.",
		],
		errors: [
			{
				says: "“Something went wrong. You weren't able to give access to the App.”",
				help: "The callback URI differs, or the app is not a web app.",
			},
			{ says: "`unauthorized_client`", help: "Use the client ID of OAuth 2.0, not the API key." },
		],
	},
};
