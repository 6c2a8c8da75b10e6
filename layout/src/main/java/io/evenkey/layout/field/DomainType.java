/* SPDX-License-Identifier: Apache-2.0 */
package io.evenkey.layout.field;

import io.evenkey.layout.bytes.KeyBuffer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * {@code reverse_domain(url:string)}: a host name, or a URL, with the labels of its host name last
 * one first, so that the pages of one domain lie side by side: {@code www.example.com/a} is stored
 * as {@code com.example.www/a}. Keys sort by that form, and ranges are ranges of it.
 *
 * <pre>
 * value   [ scheme "://" ] host [ ":" port ] [ path, query, fragment ]
 * stored  host′ [ ":" scheme ] [ ":" port ] [ path, query, fragment ]     as Nutch's reversed URLs
 * </pre>
 *
 * <p>{@code host′} is the host's labels in reverse. An IPv4 address ({@code 10.0.0.1}) and an IPv6
 * literal ({@code [::1]}) stay as they are: their large end is in front already. A trailing dot
 * stays at the end. Nothing is lower-cased, decoded or converted from or to Punycode: normalise
 * before, or {@code Example.com} and {@code example.com} are two. Refused, since they would sort
 * elsewhere or could not be read back: user information, empty labels, a port that is not a number.
 *
 * <p>Values are {@link String}s.
 */
final class DomainType implements FieldType {
  /** The only instance. */
  public static final DomainType INSTANCE = new DomainType();

  private static final Pattern SCHEME = Pattern.compile("([A-Za-z][A-Za-z0-9+.-]*)://");
  private static final Pattern STORED_SCHEME = Pattern.compile(":([A-Za-z][A-Za-z0-9+.-]*)");
  private static final Pattern PORT = Pattern.compile(":[0-9]*+(?=[/?#]|\\z)");
  private static final Pattern IPV4 =
      Pattern.compile("(?:(?:25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)(?:\\.(?!\\z)|\\z)){4}");

  private static final FieldType TEXT = StringType.VARIABLE_WIDTH;

  private DomainType() {}

  @Override
  public int width() {
    return VARIABLE;
  }

  @Override
  public Object parse(String text) throws IllegalValue {
    stored(text);
    return text;
  }

  @Override
  public Object convert(Object value) throws IllegalValue {
    return parse((String) TEXT.convert(value));
  }

  @Override
  public void write(Object value, KeyBuffer out) throws IllegalValue {
    TEXT.writeText(stored((String) value), out);
  }

  @Override
  public Object read(byte[] bytes, int offset, int length) throws IllegalValue {
    String stored = (String) TEXT.read(bytes, offset, length);
    String value = value(stored);
    if (!stored(value).equals(stored)) {
      throw new IllegalValue(
          "bytes that are not a reversed domain", "is this row of another layout?");
    }
    return value;
  }

  private static String stored(String value) throws IllegalValue {
    Matcher scheme = SCHEME.matcher(value);
    boolean schemed = scheme.lookingAt();
    String rest = schemed ? value.substring(scheme.end()) : value;
    int end = authorityEnd(rest);
    if (rest.substring(0, end).indexOf('@') >= 0) {
      throw new IllegalValue(
          "user information in a URL", "remove it: keys are no place for names and passwords");
    }
    int hostEnd = hostEnd(rest, end);
    if (hostEnd < end && !PORT.matcher(rest).region(hostEnd, rest.length()).lookingAt()) {
      throw new IllegalValue(
          "'" + rest.substring(hostEnd, end) + "' after the host is not a port",
          "write it as host:port, an IPv6 address between brackets");
    }
    return reversed(rest.substring(0, hostEnd))
        + (schemed ? ":" + scheme.group(1) : "")
        + rest.substring(hostEnd);
  }

  private static String value(String stored) throws IllegalValue {
    int hostEnd = hostEnd(stored, authorityEnd(stored));
    String host = reversed(stored.substring(0, hostEnd));
    Matcher scheme = STORED_SCHEME.matcher(stored).region(hostEnd, stored.length());
    return scheme.lookingAt()
        ? scheme.group(1) + "://" + host + stored.substring(scheme.end())
        : host + stored.substring(hostEnd);
  }

  private static int authorityEnd(String text) {
    int end = 0;
    while (end < text.length() && "/?#".indexOf(text.charAt(end)) < 0) {
      end++;
    }
    return end;
  }

  private static int hostEnd(String text, int authorityEnd) {
    int from = text.startsWith("[") ? Math.max(0, text.indexOf(']')) : 0;
    int colon = text.indexOf(':', from);
    return colon < 0 || colon > authorityEnd ? authorityEnd : colon;
  }

  private static String reversed(String host) throws IllegalValue {
    if (host.isEmpty() || host.startsWith("[") || IPV4.matcher(host).matches()) {
      return host;
    }
    boolean rooted = host.endsWith(".");
    String[] labels = (rooted ? host.substring(0, host.length() - 1) : host).split("\\.", -1);
    StringBuilder reversed = new StringBuilder(host.length());
    for (int i = labels.length - 1; i >= 0; i--) {
      if (labels[i].isEmpty()) {
        throw new IllegalValue("host name with an empty label", "remove the dot that stands alone");
      }
      reversed.append(labels[i]).append(i == 0 && !rooted ? "" : ".");
    }
    return reversed.toString();
  }

  @Override
  public String declared(String field, boolean descending) {
    return this + "(" + TEXT.declared(field, descending) + ")";
  }

  /**
   * Compares with the stored form, such as {@code com.example}, so a condition can select a whole
   * domain.
   */
  @Override
  public void writeBeginning(String text, KeyBuffer out) throws IllegalValue {
    TEXT.writeText(text, out);
  }

  @Override
  public String toString() {
    return "reverse_domain";
  }
}
