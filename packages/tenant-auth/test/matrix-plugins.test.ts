import { describeMatrix } from "./matrix/plugins/describe-matrix";
import { adminMatrix } from "./matrix/plugins/admin";
import { anonymousMatrix } from "./matrix/plugins/anonymous";
import { apiKeyMatrix } from "./matrix/plugins/api-key";
import { bearerMatrix } from "./matrix/plugins/bearer";
import { captchaMatrix } from "./matrix/plugins/captcha";
import { customSessionMatrix } from "./matrix/plugins/custom-session";
import { deviceAuthorizationMatrix } from "./matrix/plugins/device-authorization";
import { emailOtpMatrix } from "./matrix/plugins/email-otp";

describeMatrix(adminMatrix);
describeMatrix(anonymousMatrix);
describeMatrix(apiKeyMatrix);
describeMatrix(bearerMatrix);
describeMatrix(captchaMatrix);
describeMatrix(customSessionMatrix);
describeMatrix(deviceAuthorizationMatrix);
describeMatrix(emailOtpMatrix);
